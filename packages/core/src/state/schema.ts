/** What a validator of any library looks like that follows the Standard Schema convention: zod, valibot, arktype, … */
export interface Schema<Output = unknown> {
  readonly '~standard': {
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>
    readonly types?: { readonly output: Output } | undefined
  }
}

export type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] }

export type OutputOf<S extends Schema> = NonNullable<S['~standard']['types']>['output']
