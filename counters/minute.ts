/** How long the budgets' windows last: clock minutes, of whoever keeps the count. */
export const WINDOW_S = 60

/** How many uploads and bytes a credential may use in one of them. */
export type UploadLimits = { bytes: number; uploads: number }
