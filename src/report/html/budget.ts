/** What fits, and how many items do not. */
export interface Kept {
  readonly parts: readonly string[];
  readonly left: number;
}

/**
 * Renders items until `bytes` of UTF-8 are spent: a page of more than five megabytes opens slowly everywhere, and every
 * part of it has its share.
 */
export function keepWithin<Item>(
  items: readonly Item[],
  bytes: number,
  draw: (item: Item, index: number) => string,
): Kept {
  const parts: string[] = [];
  let spent = 0;
  for (const [index, item] of items.entries()) {
    const part = draw(item, index);
    spent += Buffer.byteLength(part);
    if (spent > bytes) break;
    parts.push(part);
  }
  return { parts, left: items.length - parts.length };
}
