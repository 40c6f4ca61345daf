import type { Requirement } from './requirement.ts'

export const rehearsal: Requirement[] = []
