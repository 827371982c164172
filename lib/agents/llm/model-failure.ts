/** A model gave no answer that can be used. The message says why, without anything of what was said. */
export class ModelFailure extends Error {
  override name = 'ModelFailure'
}
