/** The length of a window: minutes of the clock, by whoever keeps the counts. */
export const WINDOW_S = 60

/** How many uploads and bytes a credential may use in a window. */
export type UploadLimits = { bytes: number; uploads: number }
