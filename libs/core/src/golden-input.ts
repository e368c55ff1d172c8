/** A golden file that cannot be checked: missing, not of the shape, or about a function we do not have. */
export class GoldenFileError extends Error {
  override readonly name = 'GoldenFileError';
}

/** One object of a golden case, read field by field; a field that is missing or of another type is named. */
export class GoldenInput {
  constructor(
    private readonly value: unknown,
    private readonly path: string,
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.mismatch('an object');
  }

  number(name: string): number {
    return this.typed(name, 'a number', (value) => typeof value === 'number');
  }

  boolean(name: string): boolean {
    return this.typed(name, 'a boolean', (value) => typeof value === 'boolean');
  }

  numberOrNull(name: string): number | null {
    return this.typed(name, 'a number or null', (value) => value === null || typeof value === 'number');
  }

  text(name: string): string {
    return this.typed(name, 'a text', (value) => typeof value === 'string');
  }

  textOrNull(name: string): string | null {
    return this.typed(name, 'a text or null', (value) => value === null || typeof value === 'string');
  }

  /** A moment in ISO form. */
  moment(name: string): Date {
    return new Date(
      this.typed<string>(name, 'a moment', (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value))),
    );
  }

  oneOf<Choice extends string>(name: string, choices: readonly Choice[]): Choice {
    return this.typed(name, `one of ${choices.join(', ')}`, (value) => choices.some((choice) => choice === value));
  }

  numbers(name: string): number[] {
    return this.typed(name, 'a list of numbers', (value) => isListOf(value, 'number'));
  }

  object(name: string): GoldenInput {
    return new GoldenInput(this.field(name), `${this.path}.${name}`);
  }

  objects(name: string): GoldenInput[] {
    const list = this.typed<unknown[]>(name, 'a list', (value) => Array.isArray(value));
    return list.map((item, index) => new GoldenInput(item, `${this.path}.${name}[${index}]`));
  }

  /** The field's value as it stands, or undefined. */
  field(name: string): unknown {
    return Object.entries(this.value as object).find(([key]) => key === name)?.[1];
  }

  private typed<Type>(name: string, expected: string, fits: (value: unknown) => boolean): Type {
    const value = this.field(name);
    if (!fits(value)) throw new GoldenFileError(`${this.path}.${name} must be ${expected}.`);
    return value as Type;
  }

  private mismatch(expected: string): GoldenFileError {
    return new GoldenFileError(`${this.path} must be ${expected}.`);
  }
}

const isListOf = (value: unknown, type: string): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === type);
