import type { Requirement } from './requirement.ts'

export const daemon: Requirement[] = []
