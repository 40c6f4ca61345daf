import type { Requirement } from './requirement.ts'

export const cli: Requirement[] = []
