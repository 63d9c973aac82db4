section("measure_grid", () => {});
