export { toast, type ToastOptions } from "#web/kit/toast.ts";
