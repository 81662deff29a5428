/** What became of an attempt, beside its button; both are read out when they appear. */
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
