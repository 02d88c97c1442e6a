/** Plain data: what JSON can say. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value }

/** The variables of an experiment and what they are now. */
export type Environment = Readonly<Record<string, Value>>

/** New values for some of them. */
export type Changes = Environment
