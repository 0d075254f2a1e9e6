(** * What is proved about the layers of a network.

    As in [Statements.v], one proposition per result. Each serves several formulas of the library,
    which are its instances: a printed statement is closed by rearranging terms, and a constant that
    is not needed is 0 or 1. *)

From Coq Require Import Reals.
From Majorant Require Import Definitions.
Open Scope R_scope.

(** ** Layers.v: rows, logits, feed-forward layers *)

(** An affine row. *)
Definition affine : Prop :=
  forall (C b B z : R), affine_row C b B z -> C >= 0 -> z <= C * b + B.

(** Logits: of rows, of moves of rows (slopes), of moves of matrices (sensitivities). *)
Definition logit : Prop :=
  forall (C_q B_q C_k B_k b_x b_y scale z : R),
    logit_value C_q B_q C_k B_k b_x b_y scale z -> C_q >= 0 -> C_k >= 0 -> scale >= 0 ->
    z <= scale * (C_q * b_x + B_q) * (C_k * b_y + B_k).

(** A feed-forward layer. *)
Definition feed_forward : Prop :=
  forall (C_in C_out L z : R),
    feed_forward_quotient C_in C_out L z -> C_out >= 0 -> L >= 0 -> z <= L * C_in * C_out.

(** A gated feed-forward layer, by the product rule. *)
Definition gated : Prop :=
  forall (C_gate C_up C_down L R_gate R_up z : R),
    gated_quotient C_gate C_up C_down L R_gate R_up z ->
    C_down >= 0 -> L >= 0 -> R_gate >= 0 -> R_up >= 0 ->
    z <= C_down * (L * C_gate * R_up + C_up * R_gate).

(** The norm of an activated row, and its largest entry. *)
Definition activated : Prop :=
  forall (n : nat) (A C b B phi_0 z : R),
    activated_row n A C b B phi_0 z -> A >= 0 -> C >= 0 -> phi_0 >= 0 ->
    z <= A * (C * b + B) + phi_0 * sqrt (INR n).

Definition activated_height : Prop :=
  forall (A C b B phi_0 z : R),
    activated_entry A C b B phi_0 z -> A >= 0 -> C >= 0 ->
    z <= A * (C * b + B) + phi_0.

(** A normalized row. *)
Definition normalized : Prop :=
  forall (N : nat) (G B eps z : R),
    normalized_row N G B eps z -> (1 <= N)%nat -> G >= 0 ->
    z <= G * sqrt (INR N) + B.

(** A coordinate of a row. *)
Definition coordinate_below_norm : Prop :=
  forall (D z : R), coordinate D z -> z <= D.

(** Rows on the unit ball. *)
Definition projection : Prop :=
  forall (z : R), projection_quotient z -> z <= 1.

(** ** Majorants.v: the rules M1-M5 *)

Definition M1 : Prop :=
  forall (coefficient : R) (n : nat) (a b : nat -> R),
    (forall i : nat, a i >= 0) -> (forall i : nat, b i >= 0) -> sum_coefficient n a b coefficient ->
    coefficient <= a n + b n.

Definition M2 : Prop :=
  forall (C coefficient : R) (n : nat) (a : nat -> R),
    C >= 0 -> (forall i : nat, a i >= 0) -> linear_coefficient n C a coefficient ->
    coefficient <= C * a n.

(** Leibniz. *)
Definition M3 : Prop :=
  forall (C coefficient : R) (n : nat) (a b : nat -> R),
    C >= 0 -> (forall i : nat, a i >= 0) -> (forall i : nat, b i >= 0) ->
    product_coefficient n C a b coefficient ->
    coefficient <= sum_range 0 n (fun k => C * a k * b (n - k)%nat).

(** Faa di Bruno, in the orders that the closed forms print. *)
Definition M4_order1 : Prop :=
  forall (coefficient : R) (a b : nat -> R),
    (forall i : nat, a i >= 0) -> (forall i : nat, b i >= 0) ->
    composition_coefficient 1 a b coefficient -> coefficient <= a 1%nat * b 1%nat.

Definition M4_order2 : Prop :=
  forall (coefficient : R) (a b : nat -> R),
    (forall i : nat, a i >= 0) -> (forall i : nat, b i >= 0) ->
    composition_coefficient 2 a b coefficient ->
    coefficient <= a 1%nat ^ 2 * b 2%nat + a 2%nat * b 1%nat.

Definition M4_order3 : Prop :=
  forall (coefficient : R) (a b : nat -> R),
    (forall i : nat, a i >= 0) -> (forall i : nat, b i >= 0) ->
    composition_coefficient 3 a b coefficient ->
    coefficient <= a 1%nat ^ 3 * b 3%nat + a 3%nat * b 1%nat + 2 * a 1%nat * a 2%nat * b 2%nat.

Definition M4_order4 : Prop :=
  forall (coefficient : R) (a b : nat -> R),
    (forall i : nat, a i >= 0) -> (forall i : nat, b i >= 0) ->
    composition_coefficient 4 a b coefficient ->
    coefficient <= a 1%nat ^ 4 * b 4%nat + a 2%nat ^ 2 * b 2%nat + a 4%nat * b 1%nat
                   + 2 * a 1%nat * a 3%nat * b 2%nat + 3 * a 1%nat ^ 2 * a 2%nat * b 3%nat.

Definition M5_order3 : Prop :=
  forall (C coefficient : R) (a : nat -> R),
    C >= 0 -> scaled_coefficient 3 C a coefficient -> coefficient <= C ^ 3 * a 3%nat.

(** ** Heads.v: an attention head whose logits may depend on the position *)

(** The covariance step. *)
Definition A3c : Prop :=
  forall (C_V b derivative s_key s_query : R),
    free_head_slope C_V b s_query s_key derivative -> C_V >= 0 -> b > 0 -> s_key >= 0 -> s_query >= 0 ->
    derivative <= C_V * (1 + b * (s_key + s_query)).

(** The output of a head moves with its logits. *)
Definition A4_logits : Prop :=
  forall (size z : R), logit_slope size z -> z <= size.
