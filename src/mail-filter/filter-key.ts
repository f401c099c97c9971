import { ACTIONS, type Action, type Actions, propertyValue } from "./fields.ts";
import { type Criteria, criteriaSearch } from "./terms/criteria.ts";
import { removeAllInvisible } from "./terms/normalise.ts";
import { searchKey } from "./terms/search.ts";

/** A key that is equal for filters that match the same mail and do the same with it. */
export const filterKey = (criteria: Criteria, actions: Actions): string =>
  `${criteriaKey(criteria)}\n${actionsKey(actions)}`;

/** A key that is equal for criteria that match the same mail, however they are written. */
export const criteriaKey = (criteria: Criteria): string => searchKey(criteriaSearch(criteria));

/** A key that is equal for filters that do the same. */
export const actionsKey = (actions: Actions): string =>
  propertiesKey((action) => propertyValue(action, actions));

/**
 * The key of the actions that these properties ask for; Gmail's labels have no case.
 *
 * @param valueFor the value of an action's property, empty without one.
 */
export const propertiesKey = (valueFor: (action: Action) => string): string =>
  ACTIONS.map((action) => removeAllInvisible(valueFor(action)).toLowerCase()).join("\n");
