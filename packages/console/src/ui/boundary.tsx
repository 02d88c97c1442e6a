import { Component, type ReactNode } from 'react'

export interface BoundaryProps {
  /** Shown in place of what cannot be. */
  readonly otherwise: ReactNode
  readonly children: ReactNode
}

/** Keeps what fails to be shown from taking the page down. */
export class Boundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.otherwise : this.props.children
  }
}
