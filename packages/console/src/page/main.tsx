import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '../app/app.tsx'
import { startTheme } from '../app/theme.ts'
import { reloadOnNewBuild } from '../app/new-build.ts'
import '../app/style.css'

startTheme()
reloadOnNewBuild()
createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
