/** All of them, also when one fails: nobody works on behind the back of whoever hears of it. */
export async function together<T extends readonly unknown[]>(
  all: readonly [...{ [K in keyof T]: T[K] | Promise<T[K]> }],
): Promise<T> {
  await Promise.allSettled(all)
  return Promise.all(all) as unknown as Promise<T>
}
