import { Help } from '../chrome/help.tsx'
import { text } from '../strings/en.ts'
import { sureness } from '../strings/format.ts'

const words = text.confidence

interface ConfidenceProps {
  /** `null` where the assessed level is not the one shown: the number would speak of another level. */
  value: number | null
  /** True where answers have recalibrated it. */
  measured: boolean
}

/** The one number beside a level, with its meaning a click away. Goes into a list of pairs. */
export function Confidence({ value, measured }: ConfidenceProps) {
  return (
    <div>
      <dt>
        {words.name} <Help about={words.about}>{measured ? words.hint : words.rawHint}</Help>
      </dt>
      <dd class="number">{sureness(value)}</dd>
    </div>
  )
}
