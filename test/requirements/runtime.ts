import type { Requirement } from './requirement.ts'

export const runtime: Requirement[] = []
