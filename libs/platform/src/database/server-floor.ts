/**
 * The oldest servers that production runs on, as `server_version_num` for each major line: before them Postgres and
 * pgvector have faults that a service with many tenants meets (docs/design.md, "Production floor").
 */
const POSTGRES_FLOORS = [
  { major: 17, floor: 170_011, name: '17.11' },
  { major: 18, floor: 180_006, name: '18.6' },
] as const;
const NEWEST_KNOWN_MAJOR = 18;
const VECTOR_FLOOR = [0, 8, 4] as const;

const isOlder = (version: readonly number[], floor: readonly number[]): boolean => {
  for (const [place, least] of floor.entries()) {
    const part = version[place] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
};

/**
 * What is wrong with a server for production, or undefined.
 * @param serverVersion `server_version_num`, such as 180006
 * @param vectorVersion the extension's version, such as `0.8.5`
 */
export const belowFloor = (serverVersion: number, vectorVersion: string): string | undefined => {
  const major = Math.floor(serverVersion / 10_000);
  const line = POSTGRES_FLOORS.find((candidate) => candidate.major === major);
  if (line === undefined && major <= NEWEST_KNOWN_MAJOR) return `Postgres ${major} is older than 17.11`;
  if (line !== undefined && serverVersion < line.floor) {
    return `Postgres ${major}.${serverVersion % 10_000} is older than ${line.name}`;
  }
  const vector = vectorVersion.split('.').map(Number);
  return isOlder(vector, VECTOR_FLOOR) ? `pgvector ${vectorVersion} is older than 0.8.4` : undefined;
};
