/** What lies in one place; never nothing. */
export interface InPlace<Place, Item> {
  readonly place: Place;
  readonly items: readonly Item[];
}

/** What a page found, by place, in the order in which places come first. */
export const inPlaces = <Place extends object, Item>(
  items: readonly Item[],
  placeOf: (item: Item) => Place,
): InPlace<Place, Item>[] => {
  const places = new Map<string, { place: Place; items: Item[] }>();
  for (const item of items) {
    const place = placeOf(item);
    const key = JSON.stringify(place);
    const there = places.get(key) ?? { place, items: [] };
    there.items.push(item);
    places.set(key, there);
  }
  return [...places.values()];
};
