/** Who a personal agent is: its name is its own choice, its origin is not. */
export function PersonalAgentName({
  name,
  origin,
  issuer,
}: {
  name: string
  origin: string
  issuer: string
}) {
  return (
    <>
      <bdi className="name">{name}</bdi>
      <span className="origin">{origin}</span>
      {issuer === origin || issuer === `${origin}/` ? null : <span className="issuer">{issuer}</span>}
    </>
  )
}
