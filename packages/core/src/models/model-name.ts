/** Whether two names are of one model: Ollama reads a name without a tag as the newest of that name. */
export function isSameModel(one: string, other: string): boolean {
  return one === other || tagged(one) === tagged(other)
}

function tagged(model: string): string {
  return model.includes(':', model.lastIndexOf('/') + 1) ? model : `${model}:latest`
}
