/** Why the product cannot start; its message is one sentence for whoever started it. */
export class CannotStart extends Error {}
