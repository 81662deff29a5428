/** What became of a form: what was done, or what went wrong. */
export function Outcome({ said, wrong }: { said: string; wrong: string }) {
  return (
    <>
      <span role="status">{said}</span>
      <span class="problem" role="alert">
        {wrong}
      </span>
    </>
  )
}
