(** * M1-M5: majorants under sums, linear maps, products, composition and scaling. *)

From Coq Require Import Reals List Lra Lia Psatz.
From Majorant Require Import Definitions Sums.
From Majorant Require NetworkStatements.
Import ListNotations.
Open Scope R_scope.

Lemma fact_pos n : 0 < INR (fact n).
Proof. apply lt_0_INR, lt_O_fact. Qed.

Lemma fact_S n : INR (fact (S n)) = (INR n + 1) * INR (fact n).
Proof. rewrite <- S_INR, <- mult_INR. f_equal. Qed.

(** It suffices to bound every derivative of order [n]. *)
Lemma coefficient_le {D F} (size : F -> R) (d : D -> F -> F) f n z K : coefficient size d f n z ->
  (forall l, length l = n -> size (iterate d l f) <= INR (fact n) * K) -> z <= K.
Proof.
  intros [l [Hl ->]] H. pose proof (fact_pos n). apply Rmult_le_reg_l with (INR (fact n)); [assumption|].
  replace (INR (fact n) * (size (iterate d l f) / INR (fact n))) with (size (iterate d l f)) by (field; lra).
  now apply H.
Qed.

Lemma iterate_plus {D F} (size : F -> R) plus (d : D -> F -> F) : additive size plus d ->
  forall l u v, iterate d l (plus u v) = plus (iterate d l u) (iterate d l v).
Proof.
  intros [_ Hd] l. induction l as [|h l IH]; intros u v; [reflexivity|].
  unfold iterate in *. simpl. rewrite Hd. apply IH.
Qed.

Theorem M1 : NetworkStatements.M1.
Proof.
  intros z n a b _ _ [D [F [size [plus [d [f [g [Had [Hf [Hg Hz]]]]]]]]]].
  apply (coefficient_le _ _ _ _ _ _ Hz). intros l <-. rewrite (iterate_plus _ _ _ Had).
  pose proof (proj1 Had (iterate d l f) (iterate d l g)). pose proof (Hf l). pose proof (Hg l). lra.
Qed.

Theorem M2 : NetworkStatements.M2.
Proof.
  intros C z n a HC _ [D [F [G [size [size' [d [d' [T [f [HT [Hd [Hf Hz]]]]]]]]]]]].
  apply (coefficient_le _ _ _ _ _ _ Hz). intros l <-.
  assert (E : forall l f, iterate d' l (T f) = T (iterate d l f)).
  { clear - Hd. intros l. induction l as [|h l IH]; intros f; [reflexivity|].
    unfold iterate in *. simpl. rewrite Hd. apply IH. }
  rewrite E. eapply Rle_trans; [apply HT|].
  replace (INR (fact (length l)) * (C * a (length l))) with (C * (INR (fact (length l)) * a (length l))) by ring.
  apply Rmult_le_compat_l; [lra | apply Hf].
Qed.

Theorem M5_order3 : NetworkStatements.M5_order3.
Proof.
  intros c z a Hc [D [F [size [d [S [times [f [HS [Ht [Hd [Hd' [Hf Hz]]]]]]]]]]]].
  apply (coefficient_le _ _ _ _ _ _ Hz). intros l Hl.
  destruct l as [|h1 [|h2 [|h3 [|h4 l]]]]; try discriminate Hl. clear Hl.
  unfold iterate. simpl. rewrite !Hd, !Hd', !Hd, !Hd', !Hd.
  pose proof (Hf [h1; h2; h3]) as B. unfold iterate in B. simpl in B. cbn [fact length].
  set (w := d h3 (d h2 (d h1 f))) in *.
  assert (X : size (times (times (times (S w)))) <= c * (c * (c * size w))).
  { eapply Rle_trans; [apply Ht|]. apply Rmult_le_compat_l; [lra|].
    eapply Rle_trans; [apply Ht|]. apply Rmult_le_compat_l; [lra|].
    eapply Rle_trans; [apply Ht|]. apply Rmult_le_compat_l; [lra | apply HS]. }
  eapply Rle_trans; [exact X|]. simpl in B |- *.
  assert (0 <= c * c * c) by (repeat apply Rmult_le_pos; lra).
  assert (c * c * c * size w <= c * c * c * ((1 + 1 + 1 + 1 + 1 + 1) * a 3%nat)) by (apply Rmult_le_compat_l; assumption).
  lra.
Qed.

(** ** Leibniz *)

Lemma sum_first n f : sum_range 0 (S n) f = f 0%nat + sum_range 0 n (fun k => f (S k)).
Proof.
  induction n as [|n IH].
  - rewrite sum_S by lia. unfold sum_range. simpl. ring.
  - rewrite sum_S, IH by lia. rewrite (sum_S 0 n) by lia. ring.
Qed.

Lemma leibniz_step n (a b : nat -> R) :
  sum_range 0 n (fun k => (INR k + 1) * a (S k) * b (n - k)%nat)
  + sum_range 0 n (fun k => a k * ((INR (n - k) + 1) * b (S (n - k))))
  = (INR n + 1) * sum_range 0 (S n) (fun k => a k * b (S n - k)%nat).
Proof.
  assert (A : sum_range 0 n (fun k => (INR k + 1) * a (S k) * b (n - k)%nat)
              = sum_range 0 (S n) (fun k => INR k * (a k * b (S n - k)%nat))).
  { rewrite sum_first. simpl (INR 0). rewrite Rmult_0_l, Rplus_0_l. apply sum_ext. intros k _.
    rewrite S_INR. simpl. ring. }
  assert (B : sum_range 0 n (fun k => a k * ((INR (n - k) + 1) * b (S (n - k))))
              = sum_range 0 (S n) (fun k => (INR n + 1 - INR k) * (a k * b (S n - k)%nat))).
  { rewrite (sum_S 0 n) by lia. rewrite (S_INR n). replace (INR n + 1 - (INR n + 1)) with 0 by ring.
    rewrite Rmult_0_l, Rplus_0_r. apply sum_ext. intros k Hk.
    rewrite minus_INR by lia. replace (S n - k)%nat with (S (n - k)) by lia. ring. }
  rewrite A, B, <- sum_plus, <- sum_scal. apply sum_ext. intros. ring.
Qed.

Section leibniz.
Variables (D F G H : Type) (sF : F -> R) (sG : G -> R) (sH : H -> R).
Variables (dF : D -> F -> F) (dG : D -> G -> G) (dH : D -> H -> H) (plus : H -> H -> H) (B : F -> G -> H).
Variable C : R.
Hypotheses (HC : 0 <= C) (Had : additive sH plus dH).
Hypotheses (PF : forall u, 0 <= sF u) (PG : forall v, 0 <= sG v).
Hypothesis HB : forall u v, sH (B u v) <= C * (sF u * sG v).
Hypothesis Rule : forall h u v, dH h (B u v) = plus (B (dF h u) v) (B u (dG h v)).

Lemma majorized_step {E} (s : E -> R) (d : D -> E -> E) f a h : majorized s d f a ->
  majorized s d (d h f) (fun k => (INR k + 1) * a (S k)).
Proof.
  intros Hf l. pose proof (Hf (h :: l)) as K. unfold iterate in *. simpl length in K. rewrite fact_S in K.
  simpl in K. lra.
Qed.

Lemma product_bound l : forall f g a b, majorized sF dF f a -> majorized sG dG g b ->
  sH (iterate dH l (B f g))
  <= C * (INR (fact (length l)) * sum_range 0 (length l) (fun k => a k * b (length l - k)%nat)).
Proof.
  induction l as [|h l IH]; intros f g a b Hf Hg.
  - pose proof (Hf []) as A. pose proof (Hg []) as K. unfold iterate in *. simpl in *.
    eapply Rle_trans; [apply HB|]. apply Rmult_le_compat_l; [assumption|].
    unfold sum_range. simpl. pose proof (PF f). pose proof (PG g). nra.
  - change (iterate dH (h :: l) (B f g)) with (iterate dH l (dH h (B f g))).
    rewrite Rule, (iterate_plus _ _ _ Had).
    pose proof (IH (dF h f) g _ b (majorized_step sF dF f a h Hf) Hg) as X.
    pose proof (IH f (dG h g) a _ Hf (majorized_step sG dG g b h Hg)) as Y.
    pose proof (proj1 Had (iterate dH l (B (dF h f) g)) (iterate dH l (B f (dG h g)))) as T.
    pose proof (leibniz_step (length l) a b) as L. cbn [length]. rewrite fact_S.
    set (n := length l) in *. set (s := sum_range 0 (S n) _) in *.
    replace (C * ((INR n + 1) * INR (fact n) * s)) with (C * (INR (fact n) * ((INR n + 1) * s))) by ring.
    rewrite <- L. cbv beta in X, Y. lra.
Qed.
End leibniz.

Theorem M3 : NetworkStatements.M3.
Proof.
  intros C z n a b HC _ _
    [D [F [G [H [sF [sG [sH [dF [dG [dH [plus [B [f [g [Had [PF [PG [HB [Rule [Hf [Hg Hz]]]]]]]]]]]]]]]]]]]]].
  apply (coefficient_le _ _ _ _ _ _ Hz). intros l <-.
  eapply Rle_trans; [apply (product_bound D F G H sF sG sH dF dG dH plus B C ltac:(lra) Had PF PG HB Rule l f g a b Hf Hg)|].
  right. rewrite <- sum_scal. rewrite <- !sum_scal. apply sum_ext. intros. ring.
Qed.

(** ** Faa di Bruno *)

(** What differentiating [n] times makes of [D^j g (f)] applied to derivatives of [f] of orders [s]. *)
Fixpoint chain_bound (b m : nat -> R) (n : nat) (s : list nat) : R :=
  match n with
  | O => b (length s) * fold_right (fun i r => m i * r) 1 s
  | S k => fold_right (fun t r => chain_bound b m k t + r) (chain_bound b m k (s ++ [1%nat])) (moved S s)
  end.

Section chain.
Variables (D X Y : Type) (sX : X -> R) (sY : Y -> R) (dX : D -> X -> X) (dY : D -> Y -> Y).
Variables (plus : Y -> Y -> Y) (df : D -> X) (G : list X -> Y) (b m : nat -> R).
Hypotheses (Had : additive sY plus dY) (PX : forall u, 0 <= sX u).
Hypothesis HG : forall us, sY (G us) <= b (length us) * fold_right (fun u r => sX u * r) 1 us.
Hypothesis Rule : forall h us,
  dY h (G us) = fold_right (fun vs y => plus (G vs) y) (G (us ++ [df h])) (moved (dX h) us).
Hypothesis Hdf : forall h l, sX (iterate dX l (df h)) <= m (S (length l)).

Hypothesis Pb : forall j, 0 <= b j.

Definition order_of (u : X) (i : nat) : Prop := forall l, sX (iterate dX l u) <= m (i + length l)%nat.

Lemma order_moved h us s : Forall2 order_of us s -> Forall2 (Forall2 order_of) (moved (dX h) us) (moved S s).
Proof.
  induction 1 as [|u i us s Hu Hs IH]; simpl; constructor.
  - constructor; [|assumption]. intros l. pose proof (Hu (h :: l)) as K. simpl in K.
    replace (S i + length l)%nat with (i + S (length l))%nat by lia. exact K.
  - clear - IH Hu. induction IH; simpl; constructor; [now constructor | assumption].
Qed.

Lemma chain_le l : forall us s, Forall2 order_of us s -> sY (iterate dY l (G us)) <= chain_bound b m (length l) s.
Proof.
  induction l as [|h l IH]; intros us s Hs.
  - simpl. eapply Rle_trans; [apply HG|].
    assert (L : length us = length s) by (clear - Hs; induction Hs; simpl; congruence).
    rewrite L. apply Rmult_le_compat_l; [apply Pb|]. clear - Hs PX.
    assert (K : 0 <= fold_right (fun u r => sX u * r) 1 us <= fold_right (fun i r => m i * r) 1 s); [|lra].
    induction Hs as [|u i us s Hu Hs IH]; simpl; [lra|]. pose proof (Hu []) as K. unfold iterate in K. simpl in K.
    rewrite Nat.add_0_r in K. pose proof (PX u). split; [apply Rmult_le_pos; lra | apply Rmult_le_compat; lra].
  - change (iterate dY (h :: l) (G us)) with (iterate dY l (dY h (G us))). rewrite Rule. simpl length. simpl chain_bound.
    assert (Last : sY (iterate dY l (G (us ++ [df h]))) <= chain_bound b m (length l) (s ++ [1%nat])).
    { apply IH. apply Forall2_app; [assumption|]. constructor; [|constructor]. intros l'. apply Hdf. }
    pose proof (order_moved h us s Hs) as M. induction M as [|vs t us' s' Hv _ IHM]; [exact Last|].
    simpl. rewrite (iterate_plus _ _ _ Had). eapply Rle_trans; [apply Had|].
    apply Rplus_le_compat; [now apply IH | exact IHM].
Qed.
End chain.

Lemma composition_le n a b z : composition_coefficient n a b z ->
  (forall j, 0 <= b j) ->
  INR (fact n) * z <= chain_bound (fun j => INR (fact j) * b j) (fun i => INR (fact i) * a i) n [].
Proof.
  intros [D [X [Y [sX [sY [dX [dY [plus [df [G [Had [PX [HG [Rule [Hdf [l [<- ->]]]]]]]]]]]]]]]]] Hb.
  pose proof (fact_pos (length l)).
  replace (INR (fact (length l)) * (sY (iterate dY l (G [])) / INR (fact (length l))))
    with (sY (iterate dY l (G []))) by (field; lra).
  apply (chain_le D X Y sX sY dX dY plus df G (fun j => INR (fact j) * b j) (fun i => INR (fact i) * a i)); auto.
  intros j. apply Rmult_le_pos; [left; apply fact_pos | apply Hb].
Qed.

Ltac expand H := apply composition_le in H; [|intros; apply Rge_le; auto]; cbn in H; lra.

Theorem M4_order1 : NetworkStatements.M4_order1.
Proof. intros z a b _ Hb H. expand H. Qed.

Theorem M4_order2 : NetworkStatements.M4_order2.
Proof. intros z a b _ Hb H. expand H. Qed.

Theorem M4_order3 : NetworkStatements.M4_order3.
Proof. intros z a b _ Hb H. expand H. Qed.

Theorem M4_order4 : NetworkStatements.M4_order4.
Proof. intros z a b _ Hb H. expand H. Qed.
