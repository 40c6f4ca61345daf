import type { Requirement } from './requirement.ts'

export const session: Requirement[] = []
