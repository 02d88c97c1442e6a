import { local, type Place } from './place.ts'

/** The configuration of the way to whoever is the primary: Patroni says yes to one of the nodes. */
export function haproxyConfiguration(port: number, places: readonly Place[]): string {
  return `global
  maxconn 500
defaults
  mode tcp
  timeout connect 1s
  timeout client 30m
  timeout server 30m
listen primary
  bind ${local(port)}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${places.map(({ name, postgres, patroni }) => `  server ${name} ${local(postgres)} check port ${patroni}\n`).join('')}`
}
