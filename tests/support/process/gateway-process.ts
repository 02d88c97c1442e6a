// Our gateway, configured by its environment alone.
import { readConfig, serve } from '@minutebook/server'

const running = await serve(readConfig())
process.once('SIGTERM', () => void running.close().then(() => process.exit(0)))
