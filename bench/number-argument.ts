/**
 * A number of at least `least` from the command line. Ends the program with code 2, and a line that says what is wrong,
 * when it is none.
 */
export function numberArgument<Name extends string>(
  values: { readonly [name in Name]?: string | boolean },
  name: Name,
  least = 1,
): number {
  const value = Number(values[name])
  if (value >= least) return value
  process.stderr.write(`--${name} is ${JSON.stringify(values[name])}; it must be a number of at least ${least}\n`)
  process.exit(2)
}
