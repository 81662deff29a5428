// Prints the stream that river_rivals.py reads: one sample per line, [x1, x2, level].
import { flipStream } from '../../packages/core/src/rivals/testing/flip.ts'

for (const { x, level } of flipStream(4000, 2000)) console.log(JSON.stringify([...x, level]))
