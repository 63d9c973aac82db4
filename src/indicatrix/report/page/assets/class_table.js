section("class_table", () => {});
