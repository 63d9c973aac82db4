// The images with the most errors.
section("detection_pictures", (root, content) => {
  root.append(el("div", {class: "pictures"}, content.pictures.map(({says, png}) => el("figure", {}, el("img", {src: `data:image/png;base64,${png}`, alt: says}), el("figcaption", {}, says)))));
});
