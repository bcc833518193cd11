// The answer of a network in Go to a drawing.

/** explained is a reason as the page wants it. */
export function explained(reason) {
  return { ...reason, heat: Uint8Array.from(atob(reason.heat), (c) => c.charCodeAt(0)) };
}

/** answered is the answer as the page wants it. */
export function answered(answer) {
  const decoded = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const pixels = decoded(answer.pixels);
  const beside = answer.beside && {
    probabilities: answer.beside.probabilities,
    layers: answer.beside.layers.map((layer) => ({ ...layer, values: decoded(layer.values) })),
  };
  const attends = answer.attends && { ...answer.attends, looks: answer.attends.looks.map(decoded) };
  return { ...answer, beside, attends, pixels: Float32Array.from(pixels, (byte) => byte / 255) };
}
