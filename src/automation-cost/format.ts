/** A whole number with thousands separators: 1,153. */
export const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

/** Dollars with two decimals and thousands separators: $1,153.50. */
export function money(dollars: number): string {
  const [whole, cents] = dollars.toFixed(2).split(".");
  return `$${count(Number(whole))}.${cents}`;
}
