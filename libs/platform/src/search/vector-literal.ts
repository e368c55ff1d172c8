/**
 * The text form of a vector, to be bound as `$1::halfvec`. Seven digits keep all that half precision can hold and make a
 * third of the bytes that the numbers' full form would.
 */
export function toVectorLiteral(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => Number(value.toPrecision(7))).join(',')}]`;
}
