/** JSON text of PostgreSQL that is sent as it is, for a value that the server need not parse. */
export class RawJson<Value> {
  readonly text: string;
  /** Never there: what the JSON is of, for the compiler. */
  declare readonly value?: Value;

  constructor(text: string) {
    this.text = text;
  }
}
