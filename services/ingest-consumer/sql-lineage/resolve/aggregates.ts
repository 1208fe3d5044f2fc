const kinds = new Set([
  ...["sum", "avg", "min", "max", "count", "count_if", "array_agg", "string_agg", "list_agg"],
  ...["group_concat", "median", "mode", "any_value", "approx_distinct", "approx_count_distinct"],
  ...[
    "aggregate_function",
    "bit_and_agg",
    "bit_or_agg",
    "bit_xor_agg",
    "logical_and",
    "logical_or",
  ],
  ...["bool_and", "bool_or", "corr", "covar_pop", "covar_samp", "percentile_cont"],
  ...["percentile_disc", "approx_percentile", "approx_quantile", "quantile", "json_agg"],
  ...["json_object_agg", "json_array_agg", "array_concat_agg", "array_unique_agg", "object_agg"],
  ...["skewness", "kurtosis", "sum_if", "arg_max", "arg_min", "max_by", "min_by", "first", "last"],
  ...["any", "collect_list", "collect_set", "within_group", "hll", "array_union_agg"],
]);
const kindForms = /^(std_?dev|var(iance)?(_|$)|regr_|approx_)/;
const functionForms = [
  /^(sum|avg|min|max|count)(_?if|_by|map|_distinct)?$/i,
  /^(stddev|var(iance|_)|median|mode$|bool_|every$|bit_(and|or|xor)_agg|corr$|covar_|regr_)/i,
  /^(array|string|list|json|jsonb|object|map|xml|array_concat|array_unique)_?(object|array)?_?agg$/i,
  /^(listagg|collect_(list|set)|group_concat|grouparray|approx_|any_?value|arg_?(min|max)|first_?value)/i,
  /^(last_?value|uniq|quantile|percentile|topk|histogram|hll|kurtosis|skew|entropy|logical_(and|or))/i,
];

/** Whether what a function makes is made of many rows. */
export function isAggregate(kind: string, functionName: string): boolean {
  if (kind === "function") return functionForms.some((form) => form.test(functionName));
  return kinds.has(kind) || kindForms.test(kind);
}
