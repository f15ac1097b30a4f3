/** Why the product cannot start; its message is one sentence for the operator. */
export class CannotStart extends Error {}
