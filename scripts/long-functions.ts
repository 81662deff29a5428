// Functions that do not fit on a screen. Biome has such a rule too, but it does not count every line: of the lines of
// JSX and of template strings it leaves some out, so that a function of 125 lines can pass its limit of 70.
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { isKernel, isTest, repositoryFiles } from './files.ts'

const LIMIT = 70

/** One line for each function of more than 70 lines, counted from its first to its last. Tests and the kernel may. */
export function longFunctions(): string[] {
  return repositoryFiles('*.ts', '*.tsx', '*.mjs')
    .filter((file) => !isTest(file) && !isKernel(file))
    .flatMap(longFunctionsOf)
}

function longFunctionsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const line = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const lines = line(node.end) - line(node.getStart()) + 1
      const name = node.name?.getText() ?? 'a function without a name'
      if (lines > LIMIT)
        found.push(`${file}:${line(node.getStart())}: ${name} has ${lines} lines; at most ${LIMIT} may`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
