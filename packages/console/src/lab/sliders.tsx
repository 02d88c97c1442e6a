import { policyOf } from '@minutebook/experiment/run'
import type { Profile } from 'minutebook'
import { useId, type ReactElement, type ReactNode } from 'react'
import { grouped, percentOf } from '../ui/text.ts'
import { Button } from '../ui/ui.tsx'
import {
  isUntouched,
  policyConfigOf,
  presetOf,
  profileNamed,
  profileNames,
  profiles,
  type Changes,
  type Preset,
} from './changes.ts'
import type { LabSettings } from './lab.ts'

interface SlidersProps {
  readonly recorded: LabSettings
  readonly changes: Changes
  readonly onChange: (changes: Changes) => void
}

/** All settings that a prompt depends on. Those that were not moved are as recorded. */
export function Sliders({ recorded, changes, onChange }: SlidersProps): ReactElement {
  const set = <K extends keyof Changes>(key: K, value: Changes[K] | undefined): void => {
    const { [key]: _, ...others } = changes
    onChange(value === undefined ? others : { ...others, [key]: value })
  }
  const { window, reserve } = recorded
  const preset = changes.preset ?? presetOf(recorded.policy)
  // The sliders of a policy start from the recorded policy, or from the chosen preset.
  const policy = changes.preset === undefined ? recorded.policy : policyOf(policyConfigOf({ preset }, recorded.policy))
  const now = changes.window ?? window
  const capped = preset === 'tiered' || preset === 'lastMessages'
  return (
    <form
      className="space-y-3 text-[13px]"
      aria-label="Settings of the lab"
      onSubmit={(event) => event.preventDefault()}
    >
      <Slider
        name="Window"
        value={now}
        recorded={window}
        steps={windowSteps(window)}
        show={(tokens) => `${grouped(tokens)} tokens`}
        onChange={(value) => set('window', value)}
        isTouched={changes.window !== undefined}
      />
      <Slider
        name="Reserve"
        value={changes.reserve ?? reserve ?? Math.floor(now / 8)}
        recorded={reserve ?? Math.floor(window / 8)}
        steps={reserveSteps(now)}
        show={(tokens) => `${grouped(tokens)} tokens`}
        onChange={(value) => set('reserve', value)}
        isTouched={changes.reserve !== undefined}
      />
      <Choice
        name="Preset"
        value={preset}
        isTouched={changes.preset !== undefined}
        options={presetNames}
        onChange={(value) => set('preset', value === presetOf(recorded.policy) ? undefined : (value as Preset))}
      />
      <Slider
        name="Verbatim"
        isDisabled={!capped}
        value={
          changes.verbatim ??
          policy.verbatim.exchanges ??
          policy.verbatim.messages ??
          (preset === 'lastMessages' ? 50 : 2)
        }
        recorded={policy.verbatim.exchanges ?? policy.verbatim.messages ?? 2}
        steps={preset === 'lastMessages' ? messageSteps : exchangeSteps}
        show={(count) => (capped ? `${count} ${preset === 'lastMessages' ? 'messages' : 'exchanges'}` : 'all that fit')}
        onChange={(value) => set('verbatim', value)}
        isTouched={changes.verbatim !== undefined}
      />
      <Slider
        name="Outline"
        value={changes.outline ?? policy.outline?.share ?? 0}
        recorded={policy.outline?.share ?? 0}
        steps={shareSteps(policy.outline?.share)}
        show={share}
        onChange={(value) => set('outline', value)}
        isTouched={changes.outline !== undefined}
      />
      <Slider
        name="Recall"
        value={changes.recall ?? policy.recall?.reserve ?? 0}
        recorded={policy.recall?.reserve ?? 0}
        steps={shareSteps(policy.recall?.reserve)}
        show={share}
        onChange={(value) => set('recall', value)}
        isTouched={changes.recall !== undefined}
      />
      <Slider
        name="Notes"
        value={changes.notes ?? policy.notes?.share ?? 1 / 8}
        recorded={policy.notes?.share ?? 1 / 8}
        steps={shareSteps(policy.notes?.share ?? 1 / 8)}
        show={share}
        onChange={(value) => set('notes', value)}
        isTouched={changes.notes !== undefined}
      />
      <Choice
        name="Profile"
        value={changes.profile === undefined ? 'recorded' : profileNamed(changes.profile)}
        isTouched={changes.profile !== undefined}
        options={{ recorded: 'as recorded', ...profileNames }}
        onChange={(value) => set('profile', value === 'recorded' ? undefined : (profiles[value] as Profile))}
      />
      <Button small disabled={isUntouched(changes)} onClick={() => onChange({})}>
        As recorded
      </Button>
    </form>
  )
}

interface SliderProps {
  readonly name: string
  readonly value: number
  readonly recorded: number
  readonly steps: readonly number[]
  readonly show: (value: number) => string
  readonly onChange: (value: number | undefined) => void
  readonly isTouched: boolean
  readonly isDisabled?: boolean
}

/** Stops at sensible values, with the recorded one among them. Moving back to it removes the change. */
function Slider({
  name,
  value,
  recorded,
  steps,
  show,
  onChange,
  isTouched,
  isDisabled = false,
}: SliderProps): ReactElement {
  const stops = [...new Set([...steps, recorded, value])].toSorted((left, right) => left - right)
  return (
    <Labelled name={name} isTouched={isTouched} value={isDisabled ? 'all that fit' : show(value)}>
      {(id) => (
        <input
          id={id}
          type="range"
          min={0}
          max={stops.length - 1}
          step={1}
          value={stops.indexOf(value)}
          disabled={isDisabled}
          aria-valuetext={isDisabled ? 'all that fit' : show(value)}
          onChange={(event) => {
            const next = stops[event.target.valueAsNumber]!
            onChange(next === recorded && !isDisabled ? undefined : next)
          }}
          className="block w-full accent-(--accent) disabled:opacity-40"
        />
      )}
    </Labelled>
  )
}

function Choice({
  name,
  value,
  options,
  isTouched,
  onChange,
}: {
  readonly name: string
  readonly value: string
  readonly options: Readonly<Record<string, string>>
  readonly isTouched: boolean
  readonly onChange: (value: string) => void
}): ReactElement {
  return (
    <Labelled name={name} isTouched={isTouched}>
      {(id) => (
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className="block w-full rounded-md border border-line bg-surface px-2 py-1"
        >
          {Object.entries(options).map(([key, title]) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}

function Labelled({
  name,
  value,
  isTouched,
  children,
}: {
  readonly name: string
  readonly value?: string
  readonly isTouched: boolean
  readonly children: (id: string) => ReactNode
}): ReactElement {
  const id = useId()
  return (
    <div>
      <div className="flex items-baseline gap-2">
        <label htmlFor={id} className="font-medium">
          {name}
        </label>
        {isTouched && (
          <span className="text-xs text-accent" title="Not as recorded">
            changed
          </span>
        )}
        {value !== undefined && <span className="ml-auto font-mono text-xs text-muted">{value}</span>}
      </div>
      {children(id)}
    </div>
  )
}

const presetNames: Readonly<Record<Preset, string>> = {
  default: 'default: all tiers',
  tiered: 'tiered: exchanges and outline',
  lastMessages: 'lastMessages: a cap',
  firstAndRecent: 'firstAndRecent: no outline',
}
const exchangeSteps = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32]
const messageSteps = [1, 2, 4, 6, 8, 10, 16, 24, 32, 50, 100, 200]

function share(value: number): string {
  return value === 0 ? 'none' : percentOf(value, 1)
}

function windowSteps(window: number): number[] {
  return [0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1, 1.25, 1.5, 2, 3, 4, 6, 8, 16].map((factor) =>
    Math.max(16, Math.round(window * factor)),
  )
}

function reserveSteps(window: number): number[] {
  return [0.02, 0.05, 0.1, 0.125, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5].map((part) => Math.max(1, Math.round(window * part)))
}

function shareSteps(recorded = 0): number[] {
  return [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, recorded]
}
