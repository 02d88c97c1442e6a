import type { Profile } from 'minutebook'

/** Profiles to try: what kinds of chat templates there are. */
export const profiles: Readonly<Record<string, Profile>> = {
  everything: {},
  systemFirst: { systemFirstOnly: true },
  alternating: { systemFirstOnly: true, mustAlternate: true },
  noSystem: { noSystem: true, mustAlternate: true },
  noTools: { noTools: true },
  strict: {
    systemFirstOnly: true,
    mustAlternate: true,
    needsUser: true,
    answerAfterTool: true,
    oneCallAtATime: true,
    normalized: true,
  },
}

export const profileNames: Readonly<Record<string, string>> = {
  everything: 'everything is allowed',
  systemFirst: 'one system message, first',
  alternating: 'user and assistant alternate',
  noSystem: 'no system message',
  noTools: 'no tools',
  strict: 'strict: all of these',
}

/** Its name; `everything` where it has none. */
export function profileNamed(profile: Profile): string {
  return (
    Object.keys(profiles).find((name) => JSON.stringify(profiles[name]) === JSON.stringify(profile)) ?? 'everything'
  )
}
