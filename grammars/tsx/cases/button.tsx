import React from "react";

type Props = { label: string; onPress?: () => void };

export const Button = ({ label, onPress }: Props) => {
  const handle = () => onPress?.();
  return <button onClick={() => handle()}>{label < "a" ? label : "b"}</button>;
};

export default function App() {
  return <Button label="x" />;
}
