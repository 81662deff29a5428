import type { PromisesReport } from '@pb-oel/protocol'
import { systemLink } from '../router.ts'
import { mayAnswer } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { answersMissing } from './answers-missing.ts'

const words = text.untrained

interface UntrainedProps {
  system: string
  names: readonly string[]
  /** Missing until the server has told it. */
  report?: PromisesReport
  /** False where the questions are in view already. */
  link?: boolean
}

/** Says that a system has learned too little, and which answers it still needs. */
export function Untrained({ system, names, report, link = true }: UntrainedProps) {
  return (
    <div class="untrained" role="status">
      <p>{words.lead}</p>
      {report && <AnswersNeeded report={report} names={names} />}
      {link && mayAnswer.value && (
        <a class="button" href={systemLink(system, 'review')}>
          {words.answer}
        </a>
      )}
    </div>
  )
}

function AnswersNeeded({ report, names }: { report: PromisesReport; names: readonly string[] }) {
  const { answersNeeded, answersPerLevel } = report
  const missing = answersMissing(report)
  const sentence = missing.map(({ level, answers }) => words.needed(answers, names[level])).join(', ')
  return (
    <>
      <p>
        <strong>{missing.length === 0 ? words.nothingTold(answersNeeded) : words.stillNeeded(sentence)}</strong>{' '}
        {words.rule(answersNeeded)}
      </p>
      <dl class="terms" aria-label={words.progress}>
        {names.map((name, level) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number">
              {answersPerLevel[level] > 0 ? words.told(answersPerLevel[level], answersNeeded) : words.notTold}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
