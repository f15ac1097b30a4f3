/** What PostgreSQL wrote as JSON, to be sent as it is: it stands for a value that nobody here has to look into. */
export class JsonText<Value> {
  readonly text: string;
  /** Never there: what the JSON is of, for the compiler. */
  declare readonly value?: Value;

  constructor(text: string) {
    this.text = text;
  }
}
