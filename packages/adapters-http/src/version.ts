/** The version that answers carry (I2). */
export const API_VERSION = '1'
