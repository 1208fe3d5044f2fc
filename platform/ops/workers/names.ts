/** The worker that keeps a projected graph up to date. */
export const projectorName = "graph projector";
