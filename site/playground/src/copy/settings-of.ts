import type { MethodChoice, Settings } from '../settings/settings.ts'

/** What differs from the defaults in how the reviewer answers, as `FeedbackModel` and `--answers` take it. */
export function answersOf({ reviewer }: Settings): Record<string, unknown> {
  const { delay, law, missing, wrong } = reviewer
  return {
    ...(delay > 0 && { delay: law === 'fixed' ? delay : { law, mean: delay } }),
    ...(missing > 0 && { missing }),
    ...(wrong > 0 && { wrong }),
  }
}

/** Name of a file the command line can read: the dropped one, or its copy without the columns left out. */
export function fileName({ file }: Settings): string {
  if (!file) return ''
  return file.dropped.length === 0 ? file.name : file.name.replace(/(\.csv)?(\.gz)?$/i, '-mapped.csv')
}

/** The method as code and commands name it. */
export const methodsOf = ({ methods, reviewer }: Settings): readonly MethodChoice[] =>
  reviewer.by === 'me' ? methods.slice(0, 1) : methods
