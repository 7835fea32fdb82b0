// Whether this server asks for a password before anything else.
export const gate = $state({ shut: false });
