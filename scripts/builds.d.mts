export function keepForProcess(build: string): void
export function removeOldBuilds(folder: string): void
