import type { Feedback } from '@pb-oel/core'
import { useEffect, useState } from 'preact/hooks'
import { SparkLine } from '../charts/spark-line.tsx'
import type { Contestant } from '../engine/contestant.ts'
import type { OwnQuestion } from '../engine/figures.ts'
import { count, percent } from '../text.ts'
import { Icon } from './icon.tsx'
import { LevelMark } from './level-mark.tsx'

/** Channels shown beside a question: those that moved most just now. */
const SHOWN = 8

/** Asks the person in front of the page whether an assessment is right. */
export function QuestionCard({ contestant }: { contestant: Contestant }) {
  const question = contestant.question.value
  const stream = contestant.stream.value
  const [peek, setPeek] = useState(true)
  const levels = stream?.levels ?? []
  useEffect(() => {
    if (!question) return
    const press = (event: KeyboardEvent) => {
      const feedback = isTaken(event) ? undefined : feedbackOf(event.key, levels.length)
      if (feedback) contestant.answer(feedback.answer)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [question, levels])
  if (!question || !stream) return null
  return (
    <section class="card question" aria-labelledby="question-title">
      <header class="card-head">
        <h2 id="question-title">Is this right?</h2>
        <span class="muted number">sample {count(question.sample)}</span>
      </header>
      <p class="assessed">
        <LevelMark level={question.level} levels={levels.length} size={26} />
        <strong>{levels[question.level]}</strong>
        <span class="muted">confidence {percent(question.confidence, 0)}</span>
      </p>
      <Answers question={question} levels={levels} onAnswer={(feedback) => contestant.answer(feedback)} />
      <p class="muted">
        <label class="check">
          <input type="checkbox" checked={peek} onChange={({ currentTarget }) => setPeek(currentTarget.checked)} />
          Show the true level
        </label>
        {peek && (
          <span class="truth">
            <LevelMark level={question.truth} levels={levels.length} /> {levels[question.truth]}
          </span>
        )}
      </p>
      <RecentChannels question={question} names={stream.channels} />
    </section>
  )
}

interface AnswersProps {
  question: OwnQuestion
  levels: readonly string[]
  onAnswer: (feedback: Feedback | undefined) => void
}

function Answers({ question, levels, onAnswer }: AnswersProps) {
  return (
    <div class="answers">
      <button type="button" class="primary" onClick={() => onAnswer({ kind: 'confirm' })}>
        <Icon name="check" /> Right <kbd>Y</kbd>
      </button>
      <button type="button" onClick={() => onAnswer({ kind: 'reject' })}>
        <Icon name="cross" /> Wrong <kbd>N</kbd>
      </button>
      {levels.slice(0, 9).map((name, level) => (
        <button
          key={name}
          type="button"
          class={level === question.level ? 'ghost' : ''}
          onClick={() => onAnswer({ kind: 'label', level })}
        >
          <LevelMark level={level} levels={levels.length} /> {name} <kbd>{level + 1}</kbd>
        </button>
      ))}
      <button type="button" class="ghost" onClick={() => onAnswer(undefined)}>
        Skip <kbd>S</kbd>
      </button>
    </div>
  )
}

/** The channels that moved most in the latest samples, measured by their own spread over all shown samples. */
function RecentChannels({ question, names }: { question: OwnQuestion; names: readonly string[] }) {
  const { recent, rows } = question
  const samples = Array.from({ length: rows }, (_, row) => row + 1)
  const columns = names.map((name, channel) => ({
    name,
    values: samples.map((_, row) => recent[row * names.length + channel]),
  }))
  const moved = columns.sort((a, b) => movement(b.values) - movement(a.values)).slice(0, SHOWN)
  return (
    <div class="channels">
      {moved.map(({ name, values }) => (
        <SparkLine key={name} name={name} samples={samples} values={values} total={rows} />
      ))}
    </div>
  )
}

/** How far the last tenth lies from the rest, in standard deviations of the rest. */
function movement(values: readonly number[]): number {
  const split = Math.floor(values.length * 0.9)
  const before = values.slice(0, split)
  const mean = (numbers: readonly number[]) =>
    numbers.reduce((sum, value) => sum + value, 0) / Math.max(1, numbers.length)
  const centre = mean(before)
  const spread = Math.sqrt(mean(before.map((value) => (value - centre) ** 2)))
  return spread === 0 ? 0 : Math.abs(mean(values.slice(split)) - centre) / spread
}

/** The answer a key gives; the keys are those of the review page. */
function feedbackOf(key: string, levels: number): { answer: Feedback | undefined } | undefined {
  switch (key.toLowerCase()) {
    case 'y':
    case 'enter':
      return { answer: { kind: 'confirm' } }
    case 'n':
      return { answer: { kind: 'reject' } }
    case 's':
      return { answer: undefined }
  }
  const level = /^[1-9]$/.test(key) ? Number(key) - 1 : levels
  return level < levels ? { answer: { kind: 'label', level } } : undefined
}

/** Whether a key belongs to what has the focus. */
function isTaken({ ctrlKey, metaKey, altKey, repeat, target, key }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || repeat) return true
  const element = target as HTMLElement
  if (element.closest('input:not([type=checkbox], [type=radio]), select, textarea')) return true
  return key === 'Enter' && element.closest('button, a, summary') !== null
}
