import type { Command, Option } from 'commander'

/** A shell that completes words. */
export type Shell = 'bash' | 'zsh' | 'fish'

/** A command as completion sees it. */
interface Completed {
  /** The words that lead to it: `data info`. */
  path: string
  description: string
  /** Names of its own commands. */
  commands: { name: string; description: string }[]
  options: { name: string; description: string; takes: boolean; choices: readonly string[] }[]
}

/**
 * The script that completes commands, options and fixed choices of this program; files are completed everywhere else.
 *
 * @param program with all of its commands
 */
export function completionScript(shell: Shell, program: Command): string {
  const all = completedOf(program, '')
  return { bash, zsh, fish }[shell](program.name(), all)
}

function completedOf(command: Command, path: string): Completed[] {
  const own: Completed = {
    path,
    description: command.description(),
    commands: command.commands.map((child) => ({ name: child.name(), description: firstLine(child.description()) })),
    options: [...command.options, helpOption].map((option) => ({
      name: option.long ?? option.short ?? '',
      description: firstLine(option.description ?? ''),
      takes: option.required || option.optional,
      choices: option.argChoices ?? [],
    })),
  }
  return [own, ...command.commands.flatMap((child) => completedOf(child, `${path} ${child.name()}`.trim()))]
}

const helpOption: Pick<Option, 'long' | 'short' | 'description' | 'required' | 'optional' | 'argChoices'> = {
  long: '--help',
  description: 'options and examples',
  required: false,
  optional: false,
}

const firstLine = (text: string): string => text.split(/[\n:;]/)[0].replaceAll(/['"`$\\]/g, '')
const functionOf = (name: string): string => `_${name.replaceAll('-', '_')}`

/** The words before the cursor that are commands, joined by spaces: shared by Bash and Zsh. */
function pathLoop(all: readonly Completed[], word: string, first: number, end: string): string {
  const parents = all.filter(({ commands }) => commands.length > 0)
  const cases = parents.map(({ path, commands }) => {
    const inner = commands.map(({ name }) => `"${name}"`).join('|')
    return `      "${path}") case "${word}" in ${inner}) place="\${place:+$place }${word}" ;; esac ;;`
  })
  return `  for ((i = ${first}; i < ${end}; i++)); do
    case "$place" in
${cases.join('\n')}
    esac
  done`
}

function bash(name: string, all: readonly Completed[]): string {
  return `# Bash completion of ${name}: ${name} completion bash > /etc/bash_completion.d/${name}
${functionOf(name)}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" place="" words="" i
${pathLoop(all, `\${COMP_WORDS[i]}`, 1, 'COMP_CWORD')}
  case "$place $prev" in
${choiceCases(all, (choices) => `COMPREPLY=($(compgen -W "${choices}" -- "$cur")); return`)}
  esac
  case "$place" in
${all.map((found) => `    "${found.path}") words="${wordsOf(found)}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F ${functionOf(name)} ${name}
`
}

function zsh(name: string, all: readonly Completed[]): string {
  return `#compdef ${name}
# Zsh completion of ${name}: ${name} completion zsh > ~/.zfunc/_${name}
${functionOf(name)}() {
  # Not "path", which Zsh ties to PATH.
  local place="" i
${pathLoop(all, `\${words[i]}`, 2, 'CURRENT')}
  case "$place \${words[CURRENT-1]}" in
${choiceCases(all, (choices) => `compadd -- ${choices}; return`)}
  esac
  case "$place" in
${all.map((found) => `    "${found.path}") compadd -- ${wordsOf(found)} ;;`).join('\n')}
  esac
  _files
}
compdef ${functionOf(name)} ${name}
`
}

function wordsOf({ commands, options }: Completed): string {
  return [...commands, ...options].map((entry) => entry.name).join(' ')
}

function choiceCases(all: readonly Completed[], line: (choices: string) => string): string {
  return all
    .flatMap(({ path, options }) =>
      options
        .filter(({ choices }) => choices.length > 0)
        .map((option) => `    "${path} ${option.name}") ${line(option.choices.join(' '))} ;;`),
    )
    .join('\n')
}

function fish(name: string, all: readonly Completed[]): string {
  const lines = all.flatMap(({ path, commands, options }) => {
    const seen =
      path === ''
        ? '__fish_use_subcommand'
        : path
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ')
    const none =
      commands.length > 0 && path !== ''
        ? `; and not __fish_seen_subcommand_from ${commands.map((child) => child.name).join(' ')}`
        : ''
    const condition = `-n '${seen}${none}'`
    return [
      ...commands.map((child) => `complete -c ${name} -f ${condition} -a ${child.name} -d '${child.description}'`),
      ...options.map(({ name: option, description, takes, choices }) => {
        const values = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takes ? ' -r' : ''
        return `complete -c ${name} ${condition} -l ${option.replace(/^--?/, '')}${values} -d '${description}'`
      }),
    ]
  })
  return `# Fish completion of ${name}: ${name} completion fish > ~/.config/fish/completions/${name}.fish\n${lines.join('\n')}\n`
}
