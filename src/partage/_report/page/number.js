/* Charts of a target that is a number. */
const numberColumns = () => [];
const numberTiles = () => [];
